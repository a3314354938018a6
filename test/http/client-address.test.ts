/** Where a request comes from, behind proxies. */
import { describe, expect, test } from 'vitest'
import { callerNetwork, clientAddressFinder, isNetwork } from '../../src/domain/net/client-address.js'

const behind = clientAddressFinder(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])
const forwarded = (...forwardedFor: string[]) => ({ forwardedFor, realIp: '' })

describe('the client of a request', () => {
  test.each([
    ['is the peer, where nobody is trusted', '203.0.113.1', ['198.51.100.1'], '203.0.113.1'],
    ['is whom a trusted proxy names', '10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
    ['is the last whom no trusted proxy is', '10.0.0.1', ['6.6.6.6, 198.51.100.1, 10.0.0.2'], '198.51.100.1'],
    ['is named by the last of several lines', '10.0.0.1', ['6.6.6.6', '198.51.100.1'], '198.51.100.1'],
    ['is the first where all are trusted', '10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
    ['is no word that is no address', '10.0.0.1', ['unknown'], '10.0.0.1'],
    ['is not looked for behind such a word', '10.0.0.1', ['6.6.6.6, unknown, 10.0.0.2'], '10.0.0.2'],
    ['may come with a port', '127.0.0.1', ['198.51.100.1:4711'], '198.51.100.1'],
    ['may be of IPv6', 'fd00::1', ['[2001:db8::1]:4711'], '2001:db8::1'],
    [
      'may come by a peer of IPv4 in the form of IPv6',
      '0000:0000:0000:0000:0000:ffff:7f00:0001',
      ['1.2.3.4'],
      '1.2.3.4',
    ],
  ])('%s', (_, peer, lines, expected) => {
    expect(behind(peer, forwarded(...lines))).toBe(expected)
  })

  test('is who X-Real-IP says, where a trusted proxy says nothing else', () => {
    expect(behind('10.0.0.1', { forwardedFor: [], realIp: '198.51.100.1' })).toBe('198.51.100.1')
    expect(behind('203.0.113.1', { forwardedFor: [], realIp: '198.51.100.1' })).toBe('203.0.113.1')
    expect(behind('10.0.0.1', { forwardedFor: [], realIp: 'me' })).toBe('10.0.0.1')
  })
})

test('an address of IPv6 is counted by its network, one of IPv4 by itself', () => {
  expect(callerNetwork('198.51.100.1')).toBe('198.51.100.1')
  expect(callerNetwork('::ffff:198.51.100.1')).toBe('198.51.100.1')
  expect(callerNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::')
  expect(callerNetwork('2001:0db8:0001:0002:0000:0000:0000:0001')).toBe('2001:db8:1:2::')
  expect(callerNetwork('2001:db8::1')).toBe('2001:db8:0:0::')
  expect(callerNetwork('')).toBe('')
})

test('a network is an address, with a number of bits or without', () => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8']) expect(isNetwork(text), text).toBe(true)
  for (const text of ['10.0.0', '10.0.0.0/33', '::1/129', 'a', '', '10.0.0.0/8/8']) {
    expect(isNetwork(text), text).toBe(false)
  }
})
