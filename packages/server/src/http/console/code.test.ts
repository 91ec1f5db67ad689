import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { openConsole } from '../../testing/openConsole.ts'

const own = `
import { defineFunction, defineJob, z } from 'countersign'
export const add = defineFunction({
  input: z.object({ one: z.number().max(10), other: z.number().optional() }),
  requireRoles: ['staff'],
  handle: ({ input, caller }) => ({ sum: input.one + (input.other ?? 0), master: caller.isMaster }),
})
export const any = defineFunction({ handle: () => 'anything' })
export const nightly = defineJob({ schedule: '0 3 * * *', timeZone: 'Europe/Vienna', handle: () => {} })
export const idle = defineJob({ handle: () => {} })
`
const older = `
Parse.Cloud.define('greet', () => 'hello', {
  requireUser: true,
  fields: { name: { type: String, required: true }, size: { type: Number, options: [1, 2] } },
})
`

let folder = ''
const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await writeFile(join(folder, 'own.mjs'), own)
  await writeFile(join(folder, 'older.js'), older)
  await office.startWith({ cloud: folder })
})
beforeEach(office.renew)
afterAll(async () => {
  await office.stop()
  await rm(folder, { recursive: true })
})

test('functions are listed with their input and permissions', async () => {
  const { body } = await ask(watcher, 'GET', '/console/functions')
  const functions = new Map((body.results as { name: string }[]).map((each) => [each.name, each]))
  expect(functions.get('add')).toMatchObject({
    requires: ['role:staff'],
    isRemote: false,
    input: { type: 'object', required: ['one'], properties: { one: { type: 'number', maximum: 10 } } },
  })
  expect(functions.get('any')).toEqual({ name: 'any', requires: [], isRemote: false })
  expect(functions.get('greet')).toMatchObject({
    requires: ['user'],
    input: { required: ['name'], properties: { name: { type: 'string' }, size: { type: 'number', enum: [1, 2] } } },
  })
  expect((await ask(helper, 'GET', '/console/functions')).body.reason).toBe('operatorForbidden')
  expect((await ask(ann, 'GET', '/console/functions')).status).toBe(404)
})

test('administrators run functions with the rights of the master key; viewers do not', async () => {
  const call = { one: 1, other: 2 }
  expect((await ask(root, 'POST', '/functions/add', call)).body.result).toEqual({ sum: 3, master: true })
  expect((await ask(watcher, 'POST', '/functions/add', call)).body.reason).toBe('operatorForbidden')
  // Without the console an administrator is a user as any other.
  expect((await ask(root, 'POST', '/functions/add', call, {})).body.code).toBe(119)
  office.server.clock.forward(901_000)
  expect((await ask(root, 'POST', '/functions/add', call)).body.reason).toBe('reauthenticationRequired')
})

test('jobs are listed with the schedules of their code and those that were asked for', async () => {
  office.server.clock.stop()
  const made = await ask(root, 'POST', '/cloud_code/jobs', { jobName: 'idle', cron: '*/10 * * * *' })
  expect(made.status).toBe(201)
  const { body } = await ask(watcher, 'GET', '/console/jobs')
  const now = office.server.clock.ms()
  expect(body.results).toEqual([
    {
      name: 'idle',
      schedules: [{ objectId: made.body.objectId, cron: '*/10 * * * *', next: expect.any(String) }],
    },
    {
      name: 'nightly',
      schedules: [{ cron: '0 3 * * *', timeZone: 'Europe/Vienna', next: expect.any(String) }],
    },
  ])
  const [idle] = body.results as { schedules: { next: string }[] }[]
  const next = Date.parse(idle?.schedules[0]?.next ?? '')
  expect(next).toBeGreaterThan(now)
  expect(next - now).toBeLessThanOrEqual(600_000)
  // As another server could have left it.
  await office.server.context.db.query(sql`update "_JobSchedule" set cron = 'never'`)
  const again = (await ask(watcher, 'GET', '/console/jobs')).body.results as { schedules: { error?: string }[] }[]
  expect(again[0]?.schedules[0]?.error).toContain('is not a valid schedule')
})
