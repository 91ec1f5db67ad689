import type { ConsoleArea, OperatorRole } from '@countersign/protocol'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { operatorRoleOf } from '../users/operators.ts'
import { version } from '../version.ts'

export const getConsoleEndpoint = defineEndpoint('getConsole', {
  async handle({ context: { config }, caller }) {
    const role = operatorRoleOf(caller) ?? 'viewer'
    const shown = areas[role].filter((area) => area !== 'sql' || config.sqlEditor)
    return { role, areas: shown, appName: config.appName, version, production: config.production }
  },
})

/** Screens of each role. Only for display: endpoints check the role themselves. */
const areas: { [Role in OperatorRole]: ConsoleArea[] } = {
  admin: [
    'overview',
    'users',
    'signIns',
    'data',
    'sql',
    'schema',
    'access',
    'roles',
    'tokenGates',
    'functions',
    'chain',
    'files',
    'config',
    'push',
    'mail',
    'audit',
    'settings',
    'operators',
    'clients',
    'keys',
    'backups',
    'api',
  ],
  viewer: [
    'overview',
    'users',
    'signIns',
    'data',
    'schema',
    'access',
    'roles',
    'tokenGates',
    'functions',
    'chain',
    'files',
    'config',
    'push',
    'audit',
    'settings',
    'clients',
    'keys',
    'backups',
    'api',
  ],
  support: ['overview', 'users', 'signIns', 'roles'],
}
