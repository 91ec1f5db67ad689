import {
  masterOnly,
  nextNumber,
  nobody,
  operatorOnly,
  type PermissionRow,
  secret,
  signedIn,
  someone,
} from './PermissionRow.ts'

/** The operator's own: schemas, jobs, webhooks, settings and the console. */
export const operatorRows: PermissionRow[] = [
  // The operator's own
  { name: 'createSchema', call: () => ['POST', `/schemas/Made${nextNumber()}`, {}], expected: masterOnly('200') },
  {
    name: 'createNamedSchema',
    call: () => ['POST', '/schemas', { className: `Made${nextNumber()}` }],
    expected: masterOnly('200'),
  },
  {
    name: 'updateSchema',
    call: () => [
      'PUT',
      '/schemas/Doc',
      {
        classLevelPermissions: {
          find: { '*': true },
          get: { '*': true },
          count: { '*': true },
          create: { '*': true },
          update: { '*': true },
          delete: { '*': true },
          addField: { '*': true },
        },
      },
    ],
    expected: masterOnly('200'),
  },
  { name: 'applySchema', call: () => ['POST', '/schemas/apply', {}], expected: masterOnly('200') },
  {
    name: 'deleteSchema',
    fresh: true,
    call: ({ className }) => ['DELETE', `/schemas/${className}`],
    expected: masterOnly('400/255'),
  },
  {
    name: 'purgeClass',
    fresh: true,
    call: ({ className }) => ['DELETE', `/purge/${className}`],
    expected: masterOnly('200'),
  },

  // Jobs and webhooks
  { name: 'startJob', call: () => ['POST', '/jobs/walk', {}], expected: masterOnly('200') },
  { name: 'startNamedJob', call: () => ['POST', '/jobs', { jobName: 'walk' }], expected: masterOnly('200') },
  {
    name: 'createSchedule',
    call: () => ['POST', '/cloud_code/jobs', { jobName: 'walk', cron: '0 0 1 1 *' }],
    expected: masterOnly('201'),
  },
  {
    name: 'updateSchedule',
    call: () => ['PUT', '/cloud_code/jobs/nosuch', { cron: '0 0 1 1 *' }],
    expected: masterOnly('404/101'),
  },
  {
    name: 'createRemoteFunction',
    call: () => ['POST', '/hooks/functions', { functionName: `far${nextNumber()}`, url: 'https://example.com/' }],
    expected: masterOnly('200'),
  },
  { name: 'getRemoteFunction', call: () => ['GET', '/hooks/functions/nosuch'], expected: masterOnly('400/143') },
  {
    name: 'updateRemoteFunction',
    call: () => ['PUT', '/hooks/functions/nosuch', { url: 'https://example.com/' }],
    expected: masterOnly('400/143'),
  },
  { name: 'deleteRemoteFunction', call: () => ['DELETE', '/hooks/functions/nosuch'], expected: masterOnly('400/143') },
  {
    name: 'createRemoteHook',
    call: () => [
      'POST',
      '/hooks/triggers',
      { className: `Far${nextNumber()}`, triggerName: 'afterSave', url: 'https://example.com/' },
    ],
    expected: masterOnly('200'),
  },
  { name: 'getRemoteHook', call: () => ['GET', '/hooks/triggers/Doc/beforeSave'], expected: masterOnly('400/143') },
  {
    name: 'updateRemoteHook',
    call: () => ['PUT', '/hooks/triggers/Doc/beforeSave', { url: 'https://example.com/' }],
    expected: masterOnly('400/143'),
  },
  {
    name: 'deleteRemoteHook',
    call: () => ['DELETE', '/hooks/triggers/Doc/beforeSave'],
    expected: masterOnly('400/143'),
  },
  {
    name: 'watchContractEvent',
    call: () => [
      'POST',
      '/functions/watchContractEvent',
      { chainId: 'nosuch', address: someone, abi: {}, tableName: 'X' },
    ],
    expected: masterOnly('400/162'),
  },
  ...['Eth', 'Bsc', 'Polygon'].map(
    (chain): PermissionRow => ({
      name: `watch${chain}Address`,
      call: () => ['POST', `/functions/watch${chain}Address`, { address: someone, chainId: 'nosuch' }],
      expected: masterOnly('400/162'),
    }),
  ),
  { name: 'createSync', call: () => ['POST', '/syncs', { chain: 'nosuch' }], expected: masterOnly('400/162') },
  { name: 'deleteSync', call: () => ['DELETE', '/syncs/nosuch/nosuch'], expected: masterOnly('400/162') },
  { name: 'replaySync', call: () => ['POST', '/syncs/nosuch/nosuch/replay', {}], expected: masterOnly('400/162') },
  {
    name: 'createWebhook',
    call: () => ['POST', '/webhooks', { url: 'https://example.com/', events: ['user.signUp'], enabled: false }],
    expected: masterOnly('201'),
  },

  {
    name: 'createTokenGate',
    call: () => ['POST', '/tokenGates', { role: 'crew', chain: 1, kind: 'native' }],
    expected: masterOnly('400/108'),
  },

  { name: 'getConfig', call: () => ['GET', '/config'], expected: nobody('200') },
  {
    name: 'updateConfig',
    call: () => ['PUT', '/config', { params: { hidden: secret }, masterKeyOnly: { hidden: true } }],
    expected: masterOnly('200'),
  },
  { name: 'listOutbox', call: () => ['GET', '/outbox'], expected: ['400/119', '400/119', '400/119', '400/119', '200'] },

  // The console: users without an operator role find nothing. Operator roles are in
  // http/console/operatorRights.test.ts.
  {
    name: 'claimConsole',
    call: () => ['POST', '/console/claim', { token: 'guessed' }],
    // Sessions that the master key opened make no operator.
    expected: signedIn('403/119'),
  },
  {
    name: 'endImpersonation',
    call: () => ['POST', '/console/impersonation/end', {}],
    expected: signedIn('404/108'),
  },
  { name: 'getConsoleUser', call: ({ user }) => ['GET', `/console/users/${user}`], expected: operatorOnly('200') },
  {
    name: 'exportConsoleUser',
    call: ({ user }) => ['GET', `/console/users/${user}/export`],
    expected: operatorOnly('200'),
  },
  ...['disable', 'enable', 'signOut', 'verifyEmail', 'sendReset', 'impersonate'].map((action): PermissionRow => {
    const names: { [action: string]: string } = { verifyEmail: 'verifyUserEmail', sendReset: 'sendUserReset' }
    const call: PermissionRow['call'] = ({ user }) => ['POST', `/console/users/${user}/${action}`, {}]
    return { name: names[action] ?? `${action}User`, fresh: true, call, expected: operatorOnly('200') }
  }),
  {
    name: 'deleteConsoleUser',
    fresh: true,
    call: ({ user }) => ['DELETE', `/console/users/${user}`],
    expected: operatorOnly('200'),
  },
  {
    name: 'endUserSession',
    call: ({ user }) => ['DELETE', `/console/users/${user}/sessions/nosuch`],
    expected: operatorOnly('404/101'),
  },
  {
    name: 'scheduleUserDeletion',
    fresh: true,
    call: ({ user }) => ['POST', `/console/users/${user}/delete`, {}],
    expected: operatorOnly('200'),
  },
  {
    name: 'undoUserDeletion',
    call: ({ user }) => ['POST', `/console/users/${user}/undoDelete`, {}],
    expected: operatorOnly('403/119'),
  },
  {
    name: 'testTokenGate',
    call: () => ['GET', `/console/tokenGateTest?chain=nosuch&kind=native&address=${someone}`],
    expected: operatorOnly('400/162'),
  },
  {
    name: 'testAccess',
    call: () => ['GET', '/console/access?className=Doc&operation=get'],
    expected: operatorOnly('200'),
  },
  { name: 'listRoleMembers', call: () => ['GET', '/console/roles/nosuch/members'], expected: operatorOnly('200') },
  {
    name: 'listTokenGateHolders',
    call: () => ['GET', '/console/tokenGates/nosuch/holders'],
    expected: operatorOnly('200'),
  },
  {
    name: 'setOperator',
    call: () => ['PUT', '/console/operators/nosuch', { role: 'admin' }],
    expected: operatorOnly('404/101'),
  },
  { name: 'previewSchema', call: () => ['GET', '/console/schema?className=Doc'], expected: operatorOnly('200') },
  // Without the word for it, even who may rotate is refused.
  { name: 'rotateKeys', call: () => ['POST', '/console/keys/rotate', {}], expected: operatorOnly('400/162') },
  { name: 'retireKeys', call: () => ['POST', '/console/keys/retire', {}], expected: operatorOnly('400/162') },
  // Without an address nothing is sent.
  { name: 'sendTestMail', call: () => ['POST', '/console/testMail', {}], expected: operatorOnly('400/162') },
  { name: 'createBackup', call: () => ['POST', '/console/backups', {}], expected: operatorOnly('409/108') },
  {
    name: 'createAudience',
    call: () => ['POST', '/push_audiences', { name: secret, query: '{}' }],
    expected: masterOnly('201'),
  },
]
