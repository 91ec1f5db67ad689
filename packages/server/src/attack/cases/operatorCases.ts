import { type AttackCase, casesOf } from '../AttackCase.ts'
import { listEndpoints } from '../AttackClass.ts'
import type { Cast } from '../createCast.ts'
import type { Account } from '../createLedger.ts'
import type { Scene } from '../createScene.ts'
import type { Answer } from '../createTarget.ts'
import { fill, installationWide, send } from '../walkEndpoint.ts'

type Role = 'support' | 'viewer'

const asOperator = { headers: { 'X-Countersign-Console': '1' } }

/** An operator with few rights. Only where there is an administrator: the first operator of a server is its owner. */
async function createOperator(scene: Scene, role: Role): Promise<Account> {
  const master = scene.master ?? scene.skip('needs the master key to create an operator')
  const { body } = await scene.need(master, 'GET', '/console/operators')
  const operators = body.results as { role: string }[]
  if (!operators.some((each) => each.role === 'admin')) scene.skip('there is no administrator yet')
  const account = await scene.signUp(role)
  await scene.need(master, 'PUT', `/console/operators/${account.id}`, { role })
  scene.undoes.push(() => scene.target.send({ as: master, method: 'DELETE', path: `/console/operators/${account.id}` }))
  const opened = await scene.call(account, 'GET', '/console', undefined, asOperator)
  if (opened.status >= 300) scene.skip(`the console is closed to a new operator: ${opened.body.reason}`)
  return account
}

/** Returns true if a role may not call an endpoint. Reads of a viewer, who may see everything, are left out. */
function isClosed(role: Role, { access, operators, method }: ReturnType<typeof listEndpoints>[number]['endpoint']) {
  if (access === 'operator') return operators !== undefined && !operators.includes(role)
  if (access !== 'master') return false
  return role === 'support' || method !== 'GET'
}

async function tryRole(scene: Scene, cast: Cast, role: Role): Promise<void> {
  const operator = await createOperator(scene, role)
  const { mount } = scene.target
  for (const { name, endpoint } of listEndpoints()) {
    if (!isClosed(role, endpoint) || installationWide.has(name)) continue
    const request = fill(endpoint, cast)
    const { method, path, body } = request
    scene.refused(await send(scene, operator, request, asOperator), `${name} works for ${role}.`)
    const batch = await scene.call(
      operator,
      'POST',
      '/batch',
      { requests: [{ method, path: `${mount}${path}`, body }] },
      asOperator,
    )
    scene.check(!isCarriedOut(batch), batch, `${name} works for ${role} in a batch.`)
  }
  for (const [method, path, body] of [
    ['PUT', `/console/operators/${operator.id}`, { role: 'admin' }],
    ['POST', '/console/operatorLinks', { role: 'admin' }],
    ['PUT', `/users/${cast.victim.id}`, { password: 'taken over' }],
    ['DELETE', `/users/${cast.victim.id}`, undefined],
    ['POST', '/loginAs', { userId: cast.victim.id }],
    ['GET', '/outbox', undefined],
  ] as const) {
    const answer = await scene.call(operator, method, path, body, asOperator)
    scene.refused(answer, `${method} ${path.split('/').slice(0, 3).join('/')} works for ${role}.`)
  }
}

const isCarriedOut = ({ body }: Answer) =>
  Array.isArray(body) && (body as { success?: unknown }[]).some(({ success }) => success !== undefined)

const make = casesOf('console')

export const operatorCases: AttackCase[] = [
  make('support does no more than its role says', 'SEC-40, P10, CVE-2026-29182', (scene, cast) =>
    tryRole(scene, cast, 'support'),
  ),
  make(
    'a viewer changes nothing, and reads no secret that opens accounts',
    'SEC-40, P10, CVE-2026-29182',
    (scene, cast) => tryRole(scene, cast, 'viewer'),
  ),
  make(
    'of concurrent uses of a link for an operator none makes a guesser one',
    'SEC-40, P9',
    async (scene, { stranger }) => {
      const tokens = Array.from({ length: 12 }, (_, index) => `guess${index}${scene.run}`)
      const answers = await Promise.all(
        tokens.map((token) => scene.call(stranger, 'POST', '/console/claim', { token }, asOperator)),
      )
      for (const answer of answers) scene.refused(answer, 'A guessed link makes an operator.')
    },
  ),
]
