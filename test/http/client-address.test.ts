/** The address of the client behind proxies. */
import { describe, expect, test } from 'vitest'
import { callerNetwork, clientAddressFinder, isNetwork } from '../../src/domain/net/client-address.js'

const behind = clientAddressFinder(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])

describe('The client address of a request', () => {
  test.each([
    ['it is the peer if no proxy is trusted', '203.0.113.1', ['198.51.100.1'], '203.0.113.1'],
    ['it is the address that a trusted proxy names', '10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
    [
      'it is the last address that is not a trusted proxy',
      '10.0.0.1',
      ['6.6.6.6, 198.51.100.1, 10.0.0.2'],
      '198.51.100.1',
    ],
    ['it is in the last of several header lines', '10.0.0.1', ['6.6.6.6', '198.51.100.1'], '198.51.100.1'],
    ['it is the first address if all are trusted proxies', '10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
    ['a word that is not an address is ignored', '10.0.0.1', ['unknown'], '10.0.0.1'],
    ['no address before such a word is believed', '10.0.0.1', ['6.6.6.6, unknown, 10.0.0.2'], '10.0.0.2'],
    ['it can have a port', '127.0.0.1', ['198.51.100.1:4711'], '198.51.100.1'],
    ['it can be an IPv6 address', 'fd00::1', ['[2001:db8::1]:4711'], '2001:db8::1'],
    ['the peer can be an IPv4-mapped IPv6 address', '0000:0000:0000:0000:0000:ffff:7f00:0001', ['1.2.3.4'], '1.2.3.4'],
  ])('The gateway finds the client address of a request: %s.', (_, peer, lines, expected) => {
    expect(behind(peer, lines)).toBe(expected)
  })

  test('A client cannot choose its address with any number of addresses before the one that the proxy appends.', () => {
    for (const forged of ['6.6.6.6', '10.0.0.9', '6.6.6.6, 10.0.0.9', '127.0.0.1', '::1', 'x', '', ',,', '[::1]:1']) {
      expect(behind('10.0.0.1', [`${forged}, 203.0.113.9`]), forged).toBe('203.0.113.9')
      expect(behind('10.0.0.1', [forged, '203.0.113.9']), forged).toBe('203.0.113.9')
      expect(behind('203.0.113.9', [forged]), forged).toBe('203.0.113.9')
    }
  })

  test('The end of a very long header is read, and the rest of it is not.', () => {
    const long = '10.0.0.2,'.repeat(50_000)
    expect(behind('10.0.0.1', [`6.6.6.6,${long}10.0.0.3`])).toBe('10.0.0.2')
    expect(behind('10.0.0.1', [`${long}203.0.113.9`])).toBe('203.0.113.9')
  })
})

test('Rate limits count an IPv6 address by its network, and an IPv4 address by itself.', () => {
  expect(callerNetwork('198.51.100.1')).toBe('198.51.100.1')
  expect(callerNetwork('::ffff:198.51.100.1')).toBe('198.51.100.1')
  expect(callerNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::')
  expect(callerNetwork('2001:0db8:0001:0002:0000:0000:0000:0001')).toBe('2001:db8:1:2::')
  expect(callerNetwork('2001:db8::1')).toBe('2001:db8:0:0::')
  expect(callerNetwork('')).toBe('')
})

test('A network is an address with or without a number of bits.', () => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8']) expect(isNetwork(text), text).toBe(true)
  for (const text of ['10.0.0', '10.0.0.0/33', '::1/129', 'a', '', '10.0.0.0/8/8']) {
    expect(isNetwork(text), text).toBe(false)
  }
})
