#!/bin/sh
# Stands where a browser would be started: writes down the link it was given.
printf '%s\n' "$1" > "$HOME/opened"
