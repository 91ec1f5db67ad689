// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import * as account from './account.ts'
import * as chain from './chain.ts'
import { CountersignProvider } from './components/CountersignProvider.tsx'
import { createClient } from './core/setup/createClient.ts'
import * as index from './index.ts'

afterEach(cleanup)

const client = createClient()
const wrapper = ({ children }: { children: ReactNode }) => (
  <CountersignProvider client={client}>{children}</CountersignProvider>
)

/** Two actions in one hook, under the names of what they do to a document. */
const several: Record<string, readonly string[]> = { useSaveDocument: ['save', 'create'] }

const hooks = Object.entries({ ...index, ...account, ...chain }).filter(([name]) => /^use[A-Z]/.test(name))

test.each(hooks)('L1: %s returns its action under the action’s own name', (name, hook) => {
  const { result } = renderHook(
    () => {
      try {
        return (hook as (given: string) => unknown)('Row')
      } catch {
        return undefined
      }
    },
    { wrapper },
  )
  const state = Object(result.current)
  if (typeof state.reset !== 'function') return
  for (const action of several[name] ?? [name.slice(3, 4).toLowerCase() + name.slice(4)]) {
    expect(Object.keys(state)).toEqual(expect.arrayContaining([action, `${action}Async`, 'reset', 'status']))
    expect([typeof state[action], typeof state[`${action}Async`]]).toEqual(['function', 'function'])
  }
})

test('L1: action hooks are recognized', () => {
  const names = hooks.map(([name]) => name)
  expect(names).toContain('useSignTypedData')
  expect(names.length).toBeGreaterThan(60)
})
