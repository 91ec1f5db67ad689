import { House } from 'lucide-react'
import { expect, test } from 'vitest'
import type { Command } from './rankCommands.ts'
import { rankCommands } from './rankCommands.ts'

const command = (group: Command['group'], label: string, words?: string): Command => ({
  id: label,
  group,
  label,
  ...(words && { words }),
  icon: House,
  run: () => {},
})
const all = [
  command('goTo', 'Overview'),
  command('goTo', 'Sessions', 'devices'),
  command('goTo', 'Security', 'password passkeys'),
  command('do', 'Sign out'),
  command('do', 'Use dark theme', 'colors night'),
]
const rank = (query: string, commands = all) => rankCommands(commands, query).map(({ label }) => label)

test.each([
  ['', ['Overview', 'Sessions', 'Security', 'Sign out', 'Use dark theme']],
  ['se', ['Sessions', 'Security']],
  ['SIGN', ['Sign out']],
  ['dark', ['Use dark theme']],
  ['theme dark', ['Use dark theme']],
  ['pass', ['Security']],
  ['dévices', ['Sessions']],
  ['dark pass', []],
  ['ark', []],
  ['(', []],
  ['連携', []],
])('%s finds %j', (query, found) => {
  expect(rank(query)).toEqual(found)
})

test('offers a search for any words, and ranks labels above other words', () => {
  expect(rank('0x12', [...all, command('search', 'Search the explorer')])).toEqual(['Search the explorer'])
  expect(rank('s', [command('do', 'Go', 'search'), command('do', 'Sign out')])).toEqual(['Sign out', 'Go'])
})

test('in a script without spaces a word may begin anywhere', () => {
  expect(rank('連携', [command('do', 'ウォレットを連携'), command('do', 'ログアウト')])).toEqual(['ウォレットを連携'])
})
