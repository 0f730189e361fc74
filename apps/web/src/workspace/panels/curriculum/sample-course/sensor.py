# From a number of the converter to degrees, and the readings that were stored.


def degrees(raw):
    volts = raw / 65535 * 3.3
    return (volts - 0.5) * 100


def readings(path="readings.csv"):
    with open(path) as file:
        next(file)  # the names of the columns
        return [degrees(int(line.split(",")[1])) for line in file if line.strip()]
