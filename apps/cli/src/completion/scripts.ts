const BASH = String.raw`# Completes patchbay in bash.
_patchbay() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ':files' ]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("$${'{'}line%%$'\t'*}")
    fi
  done < <(patchbay completion-words -- "$${'{'}COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _patchbay patchbay
`

const ZSH = String.raw`#compdef patchbay
# Completes patchbay in zsh.
_patchbay() {
  local line files=0
  local -a found
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      files=1
    else
      found+=("$${'{'}$${'{'}line%%$'\t'*}//:/\\:}:$${'{'}line#*$'\t'}")
    fi
  done < <(patchbay completion-words -- "$${'{'}(@)words[2,CURRENT]}" 2>/dev/null)
  (( $${'{'}#found} )) && _describe 'patchbay' found
  (( files )) && _files
}
if [ "$funcstack[1]" = '_patchbay' ]; then
  _patchbay "$@"
else
  compdef _patchbay patchbay
fi
`

const FISH = String.raw`# Completes patchbay in fish.
function __patchbay_words
  set -l words (commandline -opc) (commandline -ct)
  patchbay completion-words -- $words[2..-1] 2>/dev/null
end
function __patchbay_wants_files
  __patchbay_words | string match -q ':files'
end
complete -c patchbay -f
complete -c patchbay -a "(__patchbay_words | string match -v ':files')"
complete -c patchbay -n __patchbay_wants_files -F
`

/** Each asks the command itself what may come next, so that a script never grows old. */
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const
