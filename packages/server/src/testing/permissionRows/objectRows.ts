import { masterOnly, nextNumber, nobody, type PermissionRow, pointer } from './PermissionRow.ts'

/** Objects, roles, devices, functions and files. */
export const objectRows: PermissionRow[] = [
  // Objects
  { name: 'createObject', call: () => ['POST', '/classes/Doc', { text: 'x' }], expected: nobody('201') },
  {
    name: 'getObject',
    call: ({ doc }) => ['GET', `/classes/Doc/${doc}`],
    expected: ['404/101', '404/101', '200', '200', '200'],
  },
  { name: 'findObjects', call: () => ['GET', '/classes/Doc?order=-createdAt'], expected: nobody('200') },
  {
    name: 'updateObject',
    call: ({ doc }) => ['PUT', `/classes/Doc/${doc}`, { text: 'x' }],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'deleteObject',
    fresh: true,
    call: ({ doc }) => ['DELETE', `/classes/Doc/${doc}`],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'batch',
    call: ({ doc }) => [
      'POST',
      '/batch',
      { transaction: true, requests: [{ method: 'PUT', path: `/server/classes/Doc/${doc}`, body: { text: 'x' } }] },
    ],
    expected: ['400/101', '400/101', '400/101', '200', '200'],
  },
  { name: 'aggregate', call: () => ['GET', '/aggregate/Doc?distinct=secret'], expected: masterOnly('200') },

  // Roles
  {
    name: 'createRole',
    call: () => ['POST', '/roles', { name: `made ${nextNumber()}`, ACL: {} }],
    expected: nobody('201'),
  },
  { name: 'findRoles', call: () => ['GET', '/roles'], expected: nobody('200') },
  {
    name: 'getRole',
    call: ({ role }) => ['GET', `/roles/${role}`],
    expected: ['404/101', '404/101', '200', '200', '200'],
  },
  {
    name: 'updateRole',
    call: ({ role, user }) => [
      'PUT',
      `/roles/${role}`,
      { users: { __op: 'AddRelation', objects: [pointer('_User', user)] } },
    ],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'deleteRole',
    fresh: true,
    call: ({ role }) => ['DELETE', `/roles/${role}`],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },

  // Devices
  {
    name: 'createInstallation',
    call: () => ['POST', '/installations', { installationId: `new-${nextNumber()}`, deviceType: 'web' }],
    expected: nobody('201'),
  },
  {
    name: 'createInstallationInClass',
    call: () => ['POST', '/classes/_Installation', { installationId: `new-${nextNumber()}`, deviceType: 'web' }],
    expected: nobody('201'),
  },
  {
    name: 'findInstallations',
    call: () => ['GET', '/installations'],
    expected: ['400/119', '400/119', '400/119', '400/119', '200'],
  },
  {
    name: 'getInstallation',
    call: ({ device }) => ['GET', `/installations/${device}`],
    // Created by the master key: it is nobody's device, with any access list.
    expected: ['404/101', '404/101', '404/101', '404/101', '200'],
  },
  {
    name: 'updateInstallation',
    call: ({ device }) => ['PUT', `/installations/${device}`, { badge: 1 }],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'updateInstallationInClass',
    call: ({ device }) => ['PUT', `/classes/_Installation/${device}`, { badge: 1 }],
    expected: ['404/101', '404/101', '404/101', '200', '200'],
  },
  {
    name: 'deleteInstallation',
    fresh: true,
    call: ({ device }) => ['DELETE', `/installations/${device}`],
    expected: ['400/119', '400/119', '400/119', '400/119', '200'],
  },
  {
    name: 'deleteInstallationInClass',
    fresh: true,
    call: ({ device }) => ['DELETE', `/classes/_Installation/${device}`],
    expected: ['400/119', '400/119', '400/119', '400/119', '200'],
  },

  // Functions
  { name: 'getPluginSpecs', call: () => ['POST', '/functions/getPluginSpecs', {}], expected: nobody('200') },
  { name: 'getServerTime', call: () => ['POST', '/functions/getServerTime', {}], expected: nobody('400/135') },
  { name: 'requestMessage', call: () => ['POST', '/functions/requestMessage', {}], expected: nobody('400/162') },
  { name: 'runFunction', call: () => ['POST', '/functions/nosuch', {}], expected: nobody('400/141') },

  // Files
  {
    name: 'uploadFile',
    call: () => ['POST', '/files/note.json', { text: 'x' }],
    expected: ['400/130', '201', '201', '201', '201'],
  },
  {
    name: 'uploadNamedFile',
    call: () => ['POST', '/files', { text: 'x' }],
    expected: ['400/130', '400/122', '400/122', '400/122', '400/122'],
  },
  { name: 'deleteFile', call: () => ['DELETE', '/files/nosuch.txt'], expected: masterOnly('400/153') },
  // The name of a file is its key; another application's files are not here.
  { name: 'getFile', call: () => ['GET', '/files/elsewhere/nosuch.txt'], expected: nobody('403') },
  { name: 'getFileMetadata', call: () => ['GET', '/files/elsewhere/metadata/nosuch.txt'], expected: nobody('403') },
  { name: 'getHealth', call: () => ['GET', '/health'], expected: nobody('200') },
]
