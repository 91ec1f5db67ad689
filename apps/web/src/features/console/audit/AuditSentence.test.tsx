import type { AuditRecord } from '@countersign/protocol'
import { contract } from '@countersign/protocol/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { AuditSentence } from './AuditSentence.tsx'

/** Only programs call these; the log shows their names. */
const ofPrograms =
  /^(createNamedSchema|startNamedJob|probeConnection|(create|update|delete)(Audience|RemoteFunction|RemoteHook))$/

const read = (action: string) => {
  const entry = { action, actor: 'user:ada1', subject: 'Game/g1', details: {} } as unknown as AuditRecord
  return renderToStaticMarkup(
    <MemoryRouter>
      <AuditSentence entry={entry} names={{ ada1: 'ada' }} />
    </MemoryRouter>,
  )
}

test('every action of operators has a sentence, not the name of its endpoint', () => {
  const actions = Object.entries<{ method: string; access?: string }>(contract)
    .filter(([, { method, access }]) => method !== 'GET' && (access === 'operator' || access === 'master'))
    .map(([name]) => name)
    .filter((name) => !ofPrograms.test(name))
  expect(actions.length).toBeGreaterThan(50)
  expect(
    [...actions, 'endImpersonation', 'account.impersonate'].filter((name) => read(name).includes('<code')),
  ).toEqual([])
  expect(read('probeConnection')).toContain('<code')
})
