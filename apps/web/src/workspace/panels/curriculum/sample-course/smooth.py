from sensor import readings


def median(values):
    return sorted(values)[len(values) // 2]


def smooth(values):
    last = len(values) - 1
    return [median(values[max(0, at - 1) : min(last, at + 1) + 1]) for at in range(len(values))]


if __name__ == "__main__":
    measured = readings()
    calm = smooth(measured)
    print("highest as measured", round(max(measured), 1))
    print("highest when smooth", round(max(calm), 1))
