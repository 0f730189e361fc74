from sensor import readings
from smooth import smooth

WIDTH = 40
values = smooth(readings())
low, high = min(values), max(values)

for minute, value in enumerate(values):
    bar = round((value - low) / (high - low) * WIDTH)
    print("%2d min  %4.1f  %s" % (minute, value, "#" * bar + "|"))

print("from %.1f to %.1f degrees" % (low, high))
