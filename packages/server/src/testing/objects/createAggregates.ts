import type { TestServer } from '../createTestServer.ts'

export const date = (iso: string) => ({ __type: 'Date', iso })
export const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })

/** Games to be counted, and pipelines that count them with the master key. */
export function createAggregates(serverOf: () => TestServer) {
  const ids: { [name: string]: string } = {}

  async function create(className: string, fields: object): Promise<string> {
    const { status, body } = await serverOf().call('POST', `/classes/${className}`, fields, { master: true })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.objectId as string
  }

  /** Two teams, and five games of their players. */
  async function seedGames(): Promise<void> {
    ids.red = await create('Team', { name: 'Red', city: 'Oslo' })
    ids.blue = await create('Team', { name: 'Blue' })
    const games: object[] = [
      {
        player: 'ann',
        score: 10,
        tags: ['a', 'b'],
        at: '2024-01-31T23:30:00.000Z',
        team: 'red',
        o: { level: 1, kind: 'x' },
      },
      {
        player: 'bob',
        score: 20,
        tags: ['b'],
        at: '2024-02-01T00:30:00.000Z',
        team: 'blue',
        o: { level: 2, kind: 'x' },
      },
      { player: 'ann', score: 30, tags: [], at: '2024-02-29T12:00:00.000Z', team: 'red', o: { level: 3, kind: 'y' } },
      { player: 'cat', tags: ['c', 'b', 'a'], at: '2023-12-31T12:00:00.000Z', o: { level: 4 } },
      { player: 'bob', score: 5, done: true, at: '2024-02-01T10:00:00.000Z', team: 'blue' },
    ]
    for (const game of games as { at: string; team?: string }[]) {
      await create('Game', {
        ...game,
        at: date(game.at),
        ...(game.team && { team: pointer('Team', ids[game.team] as string) }),
      })
    }
  }

  async function aggregate(pipeline: unknown, className = 'Game') {
    const { status, body } = await serverOf().call(
      'POST',
      `/aggregate/${className}`,
      { _method: 'GET', pipeline },
      { master: true },
    )
    return { status, code: body.code, error: body.error as string, results: body.results as Record<string, unknown>[] }
  }

  const run = async (pipeline: unknown, className?: string) => {
    const { status, error, results } = await aggregate(pipeline, className)
    if (status !== 200) throw new Error(error)
    return results
  }

  return { seedGames, run, ids, aggregate }
}
