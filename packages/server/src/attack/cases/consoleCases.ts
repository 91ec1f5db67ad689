import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest } from '../createScene.ts'

const asOperator = { headers: { 'X-Countersign-Console': '1' } }

const make = casesOf('console')

export const consoleCases: AttackCase[] = [
  make('guessed keys and links make nobody an operator', 'SEC-40, P15', async (scene, { stranger }) => {
    for (const token of ['', 'guessed', { $ne: null }, 'a'.repeat(64), null])
      scene.refused(
        await scene.call(stranger, 'POST', '/console/claim', { token }),
        'A guessed link makes an operator.',
      )
    for (const key of ['', ' ', 'undefined', 'null', '__proto__', 'masterKey', scene.target.appId, '0'.repeat(64)])
      scene.refused(
        await scene.call(guest, 'GET', '/schemas', undefined, { headers: { 'X-Parse-Master-Key': key } }),
        `The master key "${key}" is accepted.`,
      )
    for (const body of [{ _MasterKey: true }, { _MasterKey: { $ne: null } }, { _MasterKey: [] }, { _MasterKey: '' }])
      scene.refused(
        await scene.call(guest, 'POST', '/schemas/_User', {
          ...body,
          _method: 'GET',
          _ApplicationId: scene.target.appId,
        }),
        'A master key of another type is accepted.',
      )
  }),
  make('a user names nobody an operator', 'SEC-12, SEC-40', async (scene, { victim, stranger }) => {
    for (const more of [{}, asOperator])
      for (const [method, path, body] of [
        ['PUT', `/console/operators/${stranger.id}`, { role: 'admin' }],
        ['POST', '/console/operatorLinks', { role: 'admin' }],
        ['POST', `/console/users/${victim.id}/impersonate`, {}],
        ['DELETE', `/console/users/${victim.id}`, undefined],
        ['PUT', `/users/${stranger.id}`, { operator: 'admin', role: 'admin', isOperator: true, _operator: 'admin' }],
      ] as const) {
        const answer = await scene.call(stranger, method, path, body, more)
        if (path.startsWith('/console'))
          scene.refused(answer, `${method} ${path.replace(/\/\w{10}(?=\/|$)/, '/:id')} works for a user.`)
      }
    scene.refused(
      await scene.call(stranger, 'GET', '/console/overview', undefined, asOperator),
      'A user reads the console.',
    )
  }),
  make('the caller’s address cannot be forged', 'P15, SEC-71, GHSA-vm5r-c87r-pf6x', async (scene) => {
    const forged = ['127.0.0.1', '::1', '127.0.0.1, 127.0.0.1', '0', '[::1]']
    for (const address of forged)
      for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP', 'True-Client-IP'])
        scene.refused(
          await scene.call(guest, 'GET', '/outbox', undefined, {
            headers: { [name]: address, Origin: 'https://evil.example' },
          }),
          `${name} opens the outbox.`,
        )
  }),
  make('nothing of the installation is public', 'P17, SEC-70', async (scene) => {
    for (const path of [
      '/metrics',
      '/.env',
      '/.git/config',
      '/package.json',
      '/countersign.config.ts',
      '/data/keys.json',
      '/keys.json',
      '/assets/../../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/docs/..%2f..%2fpackage.json',
      '/server.js',
      '/debug',
      '/graphql',
      '/__proto__',
      '/brand/..%2f..%2fpackage.json',
    ]) {
      const answer = await scene.call(guest, 'GET', path, undefined, { isRooted: true })
      scene.check(answer.status >= 300, answer, `${path} is public.`, 'leak')
    }
  }),
  make('pages forbid foreign scripts and frames', 'S25', async (scene) => {
    const page = await scene.call(guest, 'GET', '/', undefined, { isRooted: true, headers: { Accept: 'text/html' } })
    if (page.status !== 200 || !/html/.test(String(page.headers['content-type'])))
      scene.skip('there is no web application')
    const policy = String(page.headers['content-security-policy'] ?? '')
    scene.check(
      /script-src 'self'/.test(policy) && !/unsafe-(inline|eval)/.test(policy),
      page,
      'The policy allows foreign scripts.',
      'header',
    )
    scene.check(/frame-ancestors 'none'/.test(policy), page, 'Other sites may frame the application.', 'header')
    scene.check(page.headers['x-content-type-options'] === 'nosniff', page, 'Browsers guess types.', 'header')
    if (scene.target.origin.startsWith('https:'))
      scene.check(page.headers['strict-transport-security'] !== undefined, page, 'Browsers may leave https.', 'header')
  }),
]
