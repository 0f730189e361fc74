from machine import Pin
from time import sleep

button = Pin(14, Pin.IN, Pin.PULL_UP)
before = 1
presses = 0

for look in range(8):
    now = button.value()
    print("reads", now)
    if before == 1 and now == 0:
        presses += 1
    before = now
    sleep(0.05)

print("presses:", presses)
