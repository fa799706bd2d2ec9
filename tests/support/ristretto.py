"""ristretto255 in plain integers, written from RFC 9496 section 4: slow, and shares no code with
libsodium. Points are extended Edwards coordinates (x, y, z, t)."""

from __future__ import annotations

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
IDENTITY: Point = (0, 1, 1, 0)


def magnitude(x: int) -> int:
    """The one of x and -x that is even, which the RFC calls non-negative."""
    return P - x if x % 2 else x


def root_of_ratio(u: int, v: int) -> tuple[bool, int]:
    """Whether u/v is a square, and the non-negative root of u/v, or of i*u/v."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    right, flipped = check == u % P, check == -u % P
    turned = check == -u * ROOT % P
    if flipped or turned:
        r = r * ROOT % P
    return right or flipped, magnitude(r)


ONE_OVER_ROOT_A_MINUS_D = root_of_ratio(1, (-1 - D) % P)[1]
# The RFC fixes this root to be the odd one of the two.
ROOT_AD_MINUS_ONE = P - root_of_ratio((-D - 1) % P, 1)[1]


def decode(data: bytes) -> Point | None:
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s % 2:
        return None
    ss = s * s % P
    u1, u2 = (1 - ss) % P, (1 + ss) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = root_of_ratio(1, v * u2 * u2 % P)
    x = magnitude(2 * s * inverse * u2 % P)
    y = u1 * inverse * inverse * u2 * v % P
    t = x * y % P
    return None if not square or t % 2 or y == 0 else (x, y, 1, t)


def encode(point: Point) -> bytes:
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    inverse = root_of_ratio(1, u1 * u2 * u2 % P)[1]
    den1, den2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = den1 * den2 * t % P
    den = den2
    if t * z_inverse % P % 2:
        x, y, den = y * ROOT % P, x * ROOT % P, den1 * ONE_OVER_ROOT_A_MINUS_D % P
    if x * z_inverse % P % 2:
        y = -y % P
    return magnitude(den * (z - y) % P).to_bytes(32, "little")


def add(one: Point, two: Point) -> Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = two
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * D * t1 * t2, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar: int, point: Point) -> Point:
    total = IDENTITY
    for digit in bin(scalar)[2:]:
        total = add(total, total)
        if digit == "1":
            total = add(total, point)
    return total


def mapped(data: bytes) -> Point:
    """One half of the one-way map: 32 bytes to a point."""
    r = ROOT * pow(int.from_bytes(data, "little") % 2**255, 2, P) % P
    u = (r + 1) * (1 - D * D) % P
    v = (-1 - r * D) * (r + D) % P
    square, s = root_of_ratio(u, v)
    c = -1
    if not square:
        s, c = -magnitude(s * (int.from_bytes(data, "little") % 2**255) % P) % P, r
    n = (c * (r - 1) * (D - 1) * (D - 1) - v) % P
    w0, w1 = 2 * s * v % P, n * ROOT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def from_digest(digest: bytes) -> Point:
    return add(mapped(digest[:32]), mapped(digest[32:]))
