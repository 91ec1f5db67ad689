import { House } from 'lucide-react'
import { expect, test } from 'vitest'
import type { Command } from './Command.ts'
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
  command('Go to', 'Overview'),
  command('Go to', 'Sessions', 'devices'),
  command('Go to', 'Security', 'password passkeys'),
  command('Do', 'Sign out'),
  command('Do', 'Use the dark theme', 'colours night'),
]
const rank = (query: string, commands = all) => rankCommands(commands, query).map(({ label }) => label)

test.each([
  ['', ['Overview', 'Sessions', 'Security', 'Sign out', 'Use the dark theme']],
  ['se', ['Sessions', 'Security']],
  ['SIGN', ['Sign out']],
  ['dark', ['Use the dark theme']],
  ['theme dark', ['Use the dark theme']],
  ['pass', ['Security']],
  ['dévices', ['Sessions']],
  ['dark pass', []],
  ['ark', []],
  ['(', []],
])('%s finds %j', (query, found) => {
  expect(rank(query)).toEqual(found)
})

test('a search is offered whatever its words are, and a label counts for more than other words', () => {
  expect(rank('0x12', [...all, command('Search', 'Search the explorer')])).toEqual(['Search the explorer'])
  expect(rank('s', [command('Do', 'Go', 'search'), command('Do', 'Sign out')])).toEqual(['Sign out', 'Go'])
})
