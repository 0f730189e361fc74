# A board that is not there. On a real one `machine` is built in: leave this file out,
# and the same scripts switch real pins.


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 2

    # What the button reads, one look after the other: released, pressed for a while, released.
    _BUTTON = [1, 1, 1, 0, 0, 0, 1, 1]

    def __init__(self, number, mode=OUT, pull=None):
        self.number = number
        self.mode = mode
        self._value = 1 if pull == Pin.PULL_UP else 0
        self._looks = 0

    def value(self, value=None):
        if value is None:
            if self.mode == Pin.IN:
                self._value = Pin._BUTTON[self._looks % len(Pin._BUTTON)]
                self._looks += 1
            return self._value
        self._value = 1 if value else 0
        print("pin", self.number, "on" if self._value else "off")

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)
