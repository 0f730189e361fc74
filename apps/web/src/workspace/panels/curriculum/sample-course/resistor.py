supply = 3.3  # volts, from the pin
led = 2.0  # volts that a red LED keeps for itself
current = 0.010  # amperes: 10 mA is bright, and a pin can give it

ohms = (supply - led) / current
print("at least", round(ohms), "ohms")

# Resistors are sold in steps. Take the next larger one: less current never hurts.
for step in (100, 120, 150, 180, 220, 270, 330):
    if step >= ohms:
        print("take", step, "ohms:", round((supply - led) / step * 1000, 1), "mA")
        break
