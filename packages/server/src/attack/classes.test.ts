import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AttackClass, attackClasses, listEndpoints } from './AttackClass.ts'
import { ownCases } from './cases/ownCases.ts'
import { walkEndpoint } from './walkEndpoint.ts'

/** Files with routes beside the contract, and the class whose own cases try them. */
const routeClasses: Record<string, AttackClass> = {
  'http/createServer.ts': 'bodies',
  'http/mcp/registerMcp.ts': 'delegation',
  'http/registerAttackProof.ts': 'console',
  'http/registerBrand.ts': 'console',
  'http/registerDemoNode.ts': 'chain',
  'http/registerFiles.ts': 'files',
  'http/registerOidc.ts': 'delegation',
  'http/registerProbes.ts': 'console',
  'http/registerProviderCallback.ts': 'providers',
  'http/registerSockets.ts': 'live',
  'http/registerWebApp.ts': 'console',
}

test('every endpoint of the server has a class of attacks, and cases', () => {
  const walked = listEndpoints()
  const untried = walked.filter((each) => !Object.hasOwn(attackClasses, each.class) || walkEndpoint(each).length === 0)
  expect(untried.map(({ name, endpoint }) => `${name} ${endpoint.path}`)).toEqual([])
  const tried = new Set(ownCases.map(({ class: of }) => of))
  expect(Object.keys(attackClasses).filter((name) => !tried.has(name as AttackClass))).toEqual([])
})

test('every route beside the contract has a class of attacks', () => {
  const source = join(import.meta.dirname, '..')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(file),
  )
  const routed = files.filter((file) =>
    /\bapp\.(get|post|put|delete|patch|all|route)\(|\.on\('upgrade'/.test(readFileSync(join(source, file), 'utf8')),
  )
  expect(routed.sort()).toEqual(Object.keys(routeClasses).sort())
})
