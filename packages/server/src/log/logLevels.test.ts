import { expect, test } from 'vitest'
import { readConfig } from '../config/readConfig.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { createLogger, logOf } from './createLogger.ts'

test('an area logs at its own level, the others at the server’s', async () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const { logLevels } = await readConfig({
    environment: { COUNTERSIGN_LOG_LEVELS: 'chain=debug, jobs=error' },
    folder: '/nonexistent',
    flags: {},
  })
  logOf(log, { logLevels }, 'chain').debug('a block')
  logOf(log, { logLevels }, 'jobs').warn('a job')
  logOf(log, { logLevels }, 'live').debug('a socket')
  logOf(log, { logLevels }, 'live').info('an event')
  expect(lines.map((line) => JSON.parse(line)).map(({ area, msg }) => [area, msg])).toEqual([
    ['chain', 'a block'],
    ['live', 'an event'],
  ])
})

test('a level or an area that there is not is refused with its name', async () => {
  for (const [levels, named] of [
    ['chain=loud', /logLevels|COUNTERSIGN_LOG_LEVELS/],
    ['kitchen=warn', 'kitchen'],
  ] as const) {
    const reading = readConfig({ environment: { COUNTERSIGN_LOG_LEVELS: levels }, folder: '/nonexistent', flags: {} })
    await expect(reading).rejects.toThrow(named)
  }
})

test('/health and /ready are quiet, requests can be, and a server that stops is not ready', async () => {
  const server = await createTestServer()
  const requests = () => server.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  try {
    for (const path of ['/health', '/ready', '/server/health'])
      expect((await fetch(`${server.url}${path}`)).ok).toBe(true)
    await server.call('GET', '/classes/Score')
    await expect.poll(requests).toHaveLength(1)
    expect(requests()[0]).toMatchObject({ area: 'requests', path: '/server/classes/Score' })
    server.context.isStopping = true
    const answer = await fetch(`${server.url}/ready`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close'])
    expect((await server.call('GET', '/classes/Score')).status).toBe(200)
  } finally {
    await server.stop()
  }
  const silent = await createTestServer({ logLevels: { requests: 'warn' } })
  await silent.call('GET', '/classes/Score')
  await silent.stop()
  expect(silent.logs.filter((line) => line.includes('"request"'))).toEqual([])
})
