import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest } from '../createScene.ts'

const make = casesOf('batches')

export const batchCases: AttackCase[] = [
  make(
    'a part of a batch has no more rights than alone',
    'P14, SEC-19',
    async (scene, { victim, stranger, className, doc }) => {
      const { mount } = scene.target
      const requests = [
        { method: 'GET', path: `${mount}/schemas` },
        { method: 'GET', path: `${mount}/aggregate/_User` },
        { method: 'PUT', path: `${mount}/users/${victim.id}`, body: { password: 'taken over' } },
        { method: 'DELETE', path: `${mount}/users/${victim.id}` },
        { method: 'PUT', path: `${mount}/config`, body: { params: [] } },
        { method: 'POST', path: `${mount}/loginAs`, body: { userId: victim.id } },
        { method: 'GET', path: `${mount}/console/users` },
        {
          method: 'POST',
          path: `${mount}/users/me`,
          body: { _method: 'GET', _SessionToken: victim.id, _MasterKey: 'x' },
        },
        ...(doc === undefined
          ? []
          : [
              { method: 'PUT', path: `${mount}/classes/${className}/${doc}`, body: { note: 'x' } },
              { method: 'DELETE', path: `${mount}/classes/${className}/${doc}` },
            ]),
      ]
      for (const as of [guest, stranger])
        for (const transaction of [false, true])
          for (const request of requests) {
            const answer = await scene.call(as, 'POST', '/batch', { requests: [request], transaction })
            const parts = Array.isArray(answer.body) ? (answer.body as { success?: unknown }[]) : []
            scene.check(
              parts.every((part) => part.success === undefined),
              answer,
              `${request.method} ${request.path.slice(mount.length).split('/')[1]} works in a batch of ${as.name}.`,
            )
          }
    },
  ),
  make('a batch reaches nothing outside of the API', 'P13, P14, SEC-72', async (scene, { stranger }) => {
    const { mount } = scene.target
    const paths = [
      'http://127.0.0.1:1/server/health',
      '//evil.example/server/users',
      `${mount}/../config.json`,
      '/metrics',
      `${mount}/batch`,
      `${mount}/%2e%2e/metrics`,
      '',
      `${mount}`,
      '\\\\evil.example',
      `${mount}/users/me#`,
      `${mount}//users/me`,
      `${mount}/files/x.txt`,
    ]
    for (const path of paths) {
      const answer = await scene.call(stranger, 'POST', '/batch', {
        requests: [{ method: 'POST', path, body: { requests: [] } }],
      })
      const parts = Array.isArray(answer.body) ? (answer.body as { success?: unknown }[]) : []
      scene.check(
        parts.every((part) => part.success === undefined),
        answer,
        `A batch accepts the path ${path}.`,
      )
    }
  }),
  make('a batch is limited, and its parts are checked', 'P13', async (scene, { stranger }) => {
    const { mount } = scene.target
    const many = Array.from({ length: 1_001 }, () => ({ method: 'GET', path: `${mount}/health` }))
    scene.refused(
      await scene.call(stranger, 'POST', '/batch', { requests: many }),
      'A batch of 1,001 requests is run.',
      'limit',
    )
    for (const requests of [
      null,
      {},
      'x',
      [null],
      [1],
      [[]],
      [{}],
      [{ method: {}, path: [] }],
      [{ method: 'TRACE', path: `${mount}/health` }],
      [{ method: '__proto__', path: '__proto__' }],
    ])
      await scene.call(stranger, 'POST', '/batch', { requests })
  }),
  make('a batch serves no session that a batch has ended', 'SEC-19', async (scene, { stranger }) => {
    const { mount } = scene.target
    const account = { ...stranger, token: await scene.logIn(stranger) }
    await scene.call(account, 'POST', '/batch', { requests: [{ method: 'POST', path: `${mount}/logout`, body: {} }] })
    if ((await scene.call(account, 'GET', '/users/me')).status === 200) scene.skip('a batch ends no session here')
    const requests = [{ method: 'GET', path: `${mount}/users/me` }]
    const answer = await scene.call(account, 'POST', '/batch', { requests })
    const parts = Array.isArray(answer.body) ? (answer.body as { success?: unknown }[]) : []
    scene.check(
      parts.every(({ success }) => success === undefined),
      answer,
      'A batch serves a session that has ended.',
    )
  }),
]
