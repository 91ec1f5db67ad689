import { expect, test } from 'vitest'
import { checkNode } from './checkNode.mjs'

test.each(['18.20.8', '20.18.3'])('Node.js %s is refused, with the way out', (version) => {
  expect(() => checkNode(version)).toThrow(`needs Node.js 20.19 or newer, this is ${version}`)
})

test.each(['20.19.0', '20.20.2', '22.12.0', '24.0.0-nightly'])('Node.js %s will do', (version) => {
  expect(() => checkNode(version)).not.toThrow()
})
