from sensor import degrees, readings

print("raw 14100 is", round(degrees(14100), 1), "degrees")

measured = readings()
print(len(measured), "readings")
print("first", round(measured[0], 1), "last", round(measured[-1], 1))
print("highest", round(max(measured), 1))
