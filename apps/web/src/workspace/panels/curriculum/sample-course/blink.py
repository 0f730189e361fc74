from machine import Pin
from time import sleep

led = Pin(25, Pin.OUT)

for count in range(3):
    led.on()
    sleep(0.3)
    led.off()
    sleep(0.3)
