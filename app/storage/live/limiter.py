"""One limiter for all nodes."""

from ipaddress import ip_address, ip_network


def address_group(host: str) -> str:
    """What an address is counted as: itself, or the /64 of an IPv6 address, which one subscriber has. A text that is no
    address stands for itself."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped) if address.ipv4_mapped else str(ip_network((address, 64), strict=False))
