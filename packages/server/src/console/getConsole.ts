import type { ConsoleArea, OperatorRole } from '@countersign/protocol'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { operatorRoleOf } from '../users/operators.ts'
import { version } from '../version.ts'

export const getConsoleEndpoint = defineEndpoint('getConsole', {
  async handle({ context: { config }, caller }) {
    const role = operatorRoleOf(caller) ?? 'viewer'
    return { role, areas: areas[role], appName: config.appName, version, production: config.production }
  },
})

/** Screens of each role. Only for display: endpoints check the role themselves. */
const areas: { [Role in OperatorRole]: ConsoleArea[] } = {
  admin: [
    'overview',
    'users',
    'data',
    'schema',
    'access',
    'roles',
    'tokenGates',
    'functions',
    'chain',
    'files',
    'config',
    'mail',
    'audit',
    'settings',
    'operators',
    'keys',
    'backups',
    'api',
  ],
  viewer: [
    'overview',
    'users',
    'data',
    'schema',
    'access',
    'roles',
    'tokenGates',
    'functions',
    'chain',
    'files',
    'config',
    'audit',
    'settings',
    'keys',
    'backups',
    'api',
  ],
  support: ['overview', 'users', 'roles'],
}
