import type { Activity } from '@countersign/react/account'
import { expect, test } from 'vitest'
import { listUndoable } from './listUndoable.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000)

let made = 0
function note(action: string, minutes: number, details: Activity['details']): Activity {
  made += 1
  return { id: String(made), action, at: minutesAgo(minutes), details }
}

const undoUntil = minutesAgo(-1).toISOString()

test('an unlinked wallet can be restored until the server’s deadline', () => {
  const details = { objectId: 'w1', namespace: 'eip155', address: '0xab', undoUntil }
  const [found] = listUndoable([note('unlinkWallet', 9, details)], now)
  expect(found).toMatchObject({ kind: 'unlinkWallet', objectId: 'w1', name: '0xab', until: minutesAgo(-1) })
  expect(listUndoable([note('unlinkWallet', 9, details)], now + 60_000)).toEqual([])
})

test.each([
  ['restoreWallet', { objectId: 'w1', address: '0xab' }],
  ['linkWallet', { namespace: 'eip155', address: '0xab' }],
])('does not offer what %s has already undone', (action, details) => {
  const gone = note('unlinkWallet', 5, { objectId: 'w1', address: '0xab', undoUntil })
  expect(listUndoable([note(action, 4, details), gone], now)).toEqual([])
  // Earlier events and other wallets do not count.
  expect(listUndoable([gone, note(action, 6, details)], now)).toHaveLength(1)
  expect(listUndoable([note(action, 4, { objectId: 'w2', address: '0xcd' }), gone], now)).toHaveLength(1)
})

test('a merge can be undone until the server says so, and once', () => {
  const merge = note('merge', 60, { merge: 'm1', username: 'otter', undoUntil: minutesAgo(-5).toISOString() })
  expect(listUndoable([merge], now)).toMatchObject([{ kind: 'merge', objectId: 'm1', name: 'otter' }])
  expect(listUndoable([note('undoMerge', 1, { merge: 'm1' }), merge], now)).toEqual([])
  expect(listUndoable([merge], now + 6 * 60_000)).toEqual([])
})

test('ignores other and incomplete notes', () => {
  expect(listUndoable([note('signIn', 1, {}), note('unlinkWallet', 1, {}), note('merge', 1, {})], now)).toEqual([])
})
