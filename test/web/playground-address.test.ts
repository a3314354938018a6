/** The addresses that URL templates of playgrounds make of code. */
import { expect, test } from 'vitest'
import { playgroundAddress } from '../../web/src/messages/rendered/playground-address.js'

test.each([
  ['https://run.example/{?code}', 'a & b=#?\n"é"', 'https://run.example/?code=a%20%26%20b%3D%23%3F%0A%22%C3%A9%22'],
  ['https://run.example/#{code}', '</a><script>', 'https://run.example/#%3C%2Fa%3E%3Cscript%3E'],
  ['https://run.example/x/{code}', '../../other', 'https://run.example/x/..%2F..%2Fother'],
  ['HTTP://run.example/{code}', 'javascript:alert(1)', 'http://run.example/javascript%3Aalert%281%29'],
])('The template %s has %j as an encoded part of its address.', (template, code, address) => {
  expect(playgroundAddress(template, code)).toBe(address)
})

test.each([
  ['javascript:alert({code})', '1'],
  ['{+code}', 'javascript:alert(1)'],
  ['{+code}', 'data:text/html,<script>alert(1)</script>'],
  ['/api/v1/{code}', 'users'],
  ['https://run.example/{code}', 'half of a character: \uD800'],
])('The template %s makes no address of %j.', (template, code) => {
  expect(playgroundAddress(template, code)).toBeUndefined()
})
