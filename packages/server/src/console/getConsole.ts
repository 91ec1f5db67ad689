import type { ConsoleArea, OperatorRole } from '@countersign/protocol'
import { consoleAreas } from '@countersign/protocol/contract'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { operatorRoleOf } from '../users/operators.ts'
import { version } from '../version.ts'

export const getConsoleEndpoint = defineEndpoint('getConsole', {
  async handle({ context: { config }, caller }) {
    const role = operatorRoleOf(caller) ?? 'viewer'
    const shown = consoleAreas.filter((area) => isShown[role](area) && (area !== 'sql' || config.sqlEditor))
    return { role, areas: shown, appName: config.appName, version, production: config.production }
  },
})

/** Screens of each role. Only for display: endpoints check the role themselves. */
const isShown: { [Role in OperatorRole]: (area: ConsoleArea) => boolean } = {
  admin: () => true,
  viewer: (area) => !['sql', 'mail', 'operators'].includes(area),
  support: (area) => ['overview', 'users', 'signIns', 'roles'].includes(area),
}
