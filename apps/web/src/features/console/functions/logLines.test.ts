import { expect, test } from 'vitest'
import { isBackground, readLogLine } from './logLines.ts'

const request = (path: string, status = 200, method = 'GET') =>
  readLogLine({
    timestamp: '2026-01-01T00:00:00.000Z',
    level: 'info',
    message: '',
    text: 'request',
    details: { area: 'requests', requestId: 'a-1', method, path, status, ms: 3, user: 'u1' },
  })

test('a request has its columns, its user and the function that it called', () => {
  expect(request('/server/functions/hello', 200, 'POST')).toEqual({
    at: '2026-01-01T00:00:00.000Z',
    level: 'info',
    area: 'requests',
    message: 'POST /server/functions/hello 200 (3 ms)',
    requestId: 'a-1',
    method: 'POST',
    path: '/server/functions/hello',
    status: 200,
    userId: 'u1',
    functionName: 'hello',
  })
})

test('other lines keep their details, whatever their types', () => {
  const line = { timestamp: 't', level: 'warn', message: '', text: 'odd' }
  expect(readLogLine({ ...line, details: {} }).message).toBe('odd')
  expect(readLogLine({ ...line, details: { area: 5, requestId: [], user: null } as never })).toMatchObject({ area: '' })
  expect(readLogLine({ ...line, details: { area: 'jobs', job: 'tidy' } }).message).toBe('odd')
  expect(readLogLine({ ...line, details: { area: 'jobs', job: 'tidy' } }).details).toBe('{"job":"tidy"}')
})

test('own reads of the console and files are hidden, refused ones are not', () => {
  for (const path of ['/server/scriptlog', '/server/console/overview', '/assets/index.js', '/', '/serverside.js'])
    expect(isBackground(request(path), '/server'), path).toBe(true)
  expect(isBackground(request('/server/console/users/x', 200, 'DELETE'), '/server')).toBe(false)
  expect(isBackground(request('/server/classes/Game'), '/server')).toBe(false)
  expect(isBackground(request('/server/consoles'), '/server')).toBe(false)
  // Reads of classes, schemas and webhooks by the console are its own as well.
  const asOperator = { ...request('/server/classes/Game'), isConsoleRead: true }
  expect(isBackground(asOperator, '/server')).toBe(true)
  expect(isBackground({ ...asOperator, status: 403 }, '/server')).toBe(false)
  expect(isBackground(request('/assets/gone.js', 404), '/server')).toBe(false)
})
