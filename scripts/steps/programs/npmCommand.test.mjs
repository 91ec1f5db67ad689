import { expect, test } from 'vitest'
import { npmCommand } from './npmCommand.mjs'

test('an inner npm is not steered by the outer one, but finds the registry', () => {
  const { env } = npmCommand([], {
    PATH: '/bin',
    INIT_CWD: '/elsewhere',
    npm_config_registry: 'https://registry.example',
    'npm_config_//registry.example/:_authToken': 'secret',
    npm_config_port: '4000',
    npm_config_omit: 'dev',
    npm_config_local_prefix: '/elsewhere',
    npm_lifecycle_event: 'start',
    npm_package_name: 'other',
  })
  expect(env).toEqual({
    PATH: '/bin',
    npm_config_registry: 'https://registry.example',
    'npm_config_//registry.example/:_authToken': 'secret',
  })
})

test('the npm that started us is the npm we start', () => {
  expect(npmCommand(['ci'], { npm_execpath: '/usr/lib/npm/bin/npm-cli.js' })).toMatchObject({
    command: process.execPath,
    parameters: ['/usr/lib/npm/bin/npm-cli.js', 'ci'],
  })
  expect(npmCommand(['ci'], { npm_execpath: '/usr/lib/yarn.js' }).parameters).toEqual(['ci'])
})
