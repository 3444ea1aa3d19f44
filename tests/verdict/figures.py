"""Rates with their intervals, and Welch's test: what the tables are made of."""
import math


def wilson(count, of, z=1.959963984540054):
    """95 % interval of a rate.  E. B. Wilson, J. Amer. Statist. Assoc. 22 (1927) 209-212."""
    if not of:
        return 0.0, 1.0
    p, s = count / of, z * z / of
    half = z * math.sqrt(p * (1 - p) / of + s / of / 4)
    return max(0.0, (p + s / 2 - half) / (1 + s)), min(1.0, (p + s / 2 + half) / (1 + s))


def rate(count, of):
    """'3 of 120 (2.5 %, 0.9 - 7.1)'."""
    if not of:
        return "-"
    low, high = wilson(count, of)
    return f"{count} of {of} ({100 * count / of:.1f} %, {100 * low:.1f} - {100 * high:.1f})"


def quantile(values, share):
    """Between the two nearest in order, by their distance (type 7)."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def mean(values):
    return sum(values) / len(values)


def variance(values):
    m = mean(values)
    return sum((v - m) ** 2 for v in values) / (len(values) - 1)


def beta_incomplete(x, a, b):
    """I_x(a, b) by its continued fraction (Abramowitz and Stegun 26.5.8, Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_incomplete(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    out = d
    for m in range(1, 400):
        for k in (m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m)),
                  -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + k * x * d or tiny)
            c = 1 + k * x / c or tiny
            out *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * out


def welch_p(x, y):
    """Two-sided p of B. L. Welch's t test (Biometrika 34 (1947) 28-35)."""
    vx, vy = variance(x) / len(x), variance(y) / len(y)
    if vx + vy == 0:
        return 1.0 if mean(x) == mean(y) else 0.0
    t = (mean(y) - mean(x)) / math.sqrt(vx + vy)
    df = (vx + vy) ** 2 / (vx * vx / (len(x) - 1) + vy * vy / (len(y) - 1))
    return beta_incomplete(df / (df + t * t), df / 2, 0.5)


def check():
    """Known answers: R 4.2.2, t.test(y, x); R. G. Newcombe, Stat. Med. 17 (1998) 857-872."""
    x = (10.11, 10.32, 9.93, 10.24, 10.05, 10.46, 9.87, 10.18, 10.29, 12.50)
    y = (10.43, 10.64, 10.15, 10.56, 10.37, 10.88, 10.09, 10.41, 10.62, 10.73)
    assert abs(welch_p(x, y) - 0.720394130890621) < 1e-12
    for count, of, low, high in ((81, 263, .2553, .3662), (1, 29, .0061, .1718)):
        got = wilson(count, of)
        assert abs(got[0] - low) < 6e-5 and abs(got[1] - high) < 6e-5, got
