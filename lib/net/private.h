/*
 * private - addresses that a server must not be led to by what somebody typed: of this machine, of
 * its network, of nobody.
 *
 * Source: IANA's special-purpose address registries (RFC 6890).
 */
#ifndef PAWL_NET_PRIVATE_H
#define PAWL_NET_PRIVATE_H

#include <stdbool.h>
#include <sys/socket.h>

/* Anything that is not IPv4 or IPv6 is private, too; so is IPv6 that only wraps such an IPv4. */
bool address_is_private(const struct sockaddr *address);

/* 127.0.0.0/8, ::1. */
bool address_is_loopback(const struct sockaddr *address);

#endif
