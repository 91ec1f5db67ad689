/**
 * Faults as careless changes of the server make them: a text of a module and its replacement, and the finding that must
 * follow.
 *
 * @typedef {{ name: string, module: string, from: string, to: string, expected: RegExp }} PlantedFault
 */

/** Texts of the property test of scopes that must report each. @type {PlantedFault[]} */
export const scopeFaults = [
  {
    name: 'queries of a token ignore access lists',
    module: 'permissions/writeRowFilter',
    from: 'if (access.isMaster)',
    to: 'if (access.isMaster || access.scope)',
    expected: /"GET".*to include|"GET".*less than or equal/s,
  },
  {
    name: 'live queries of a token ignore access lists',
    module: 'live/matching/matchChange',
    from: "mayAccess(schema, access, decision, 'read', object)",
    to: "(access.scope !== undefined || mayAccess(schema, access, decision, 'read', object))",
    expected: /live with .*to include/s,
  },
  {
    name: 'include ignores the scope',
    module: 'objects/includeObjects',
    from: "schema && findDecision(schema, access, 'get')",
    to: "schema && findDecision(schema, { ...access, scope: undefined }, 'get')",
    expected: /include=other.* shows /,
  },
  {
    name: 'subqueries ignore the scope',
    module: 'queries/readSubquery',
    from: 'const given = value as Parts | null | undefined',
    to: 'parser = { ...parser, access: { ...parser.access, scope: undefined } }; const given = value as Parts | undefined',
    expected: /(inQuery|select).* is beyond the scope/i,
  },
  {
    name: 'a token calls every function',
    module: 'scopes/Scope',
    from: "functions.has(name) || functions.has('*')",
    to: 'functions.size >= 0 || name',
    expected: /functions\/\w+.* is beyond the scope/,
  },
  {
    name: 'a token uploads files without the scope',
    module: 'scopes/Scope',
    from: 'return scope.parts.has(need as ScopePart)',
    to: "return need === 'files:write' || scope.parts.has(need as ScopePart)",
    expected: /files\/x\.txt.* is beyond the scope/,
  },
]

/** Class of attacks that must find each. @type {(PlantedFault & { class: string })[]} */
export const attackFaults = [
  {
    name: 'reads ignore access lists',
    class: 'access-lists',
    module: 'permissions/writeRowFilter',
    from: 'if (access.isMaster)',
    to: "if (access.isMaster || right === 'read')",
    expected: /reads a private document|contains CANARY/,
  },
  {
    name: 'readers may write',
    class: 'access-lists',
    module: 'permissions/writeRowFilter',
    from: "right === 'read' ? '_rperm' : '_wperm'",
    to: "'_rperm'",
    expected: /changes a readable document/,
  },
  {
    name: 'a cookie session serves pages of other sites',
    class: 'sessions',
    module: 'http/request/cookies',
    from: 'return isOwnOrigin(context, request, origin)',
    to: 'return true',
    expected: /Another site/,
  },
  {
    name: 'a session lives on in the cache after the sign-out',
    class: 'sessions',
    module: 'caches/createSessionCache',
    from: 'byToken.delete(token)',
    to: 'void token',
    expected: /session that has ended/,
  },
  {
    name: 'shared caches may store responses',
    class: 'sessions',
    module: 'http/request/answerDirectly',
    from: "'no-store'",
    to: "'public, max-age=60'",
    expected: /stored by shared caches/,
  },
  {
    name: 'a challenge is read instead of consumed',
    class: 'sign-in',
    module: 'auth/challenges',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: 'delete from countersign.challenges where nonce = ${nonce} and namespace = any(${namespaces}) returning *',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    to: 'select * from countersign.challenges where nonce = ${nonce} and namespace = any(${namespaces})',
    expected: /A challenge signs in twice|concurrent uses of a challenge/,
  },
  {
    name: 'a challenge serves every browser',
    class: 'sign-in',
    module: 'auth/challenges',
    from: 'if (!isAsker || ',
    to: 'if (',
    expected: /other browser|another browser/,
  },
  {
    name: 'sensitive changes need no recent proof',
    class: 'step-up',
    module: 'users/sensitiveChanges',
    from: 'return isNear(confirmedAt, clock.ms(), within * 1000)',
    to: 'return isNear(clock.ms(), clock.ms(), within * 1000)',
    expected: /without a recent proof/,
  },
  {
    name: 'uploaded pages are shown',
    class: 'files',
    module: 'http/registerFiles',
    from: 'shown.has(file.type)',
    to: 'true',
    expected: /is shown as/,
  },
  {
    name: 'parts of a batch have every right',
    class: 'batches',
    module: 'http/request/runEndpoint',
    from: 'checkRights(context, match, caller, method, path)',
    to: 'void caller',
    expected: /batch/,
  },
  {
    name: 'live queries show changes to everyone',
    class: 'live',
    module: 'live/matching/matchChange',
    from: "mayAccess(schema, access, decision, 'read', object)",
    to: 'true',
    expected: /contains CANARY|gets changes|event/,
  },
  {
    name: 'a code of the second factor works again',
    class: 'second-factor',
    module: 'users/totp',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: ' and last_step < ${step}',
    to: '',
    expected: /uses of one code|code works twice/,
  },
  {
    name: 'everyone may use the console',
    class: 'console',
    module: 'http/request/rights',
    from: 'const role = operatorRoleOf(caller)',
    to: "const role = operatorRoleOf(caller) ?? 'admin'",
    expected: /needs an operator|reads the console/,
  },
  {
    name: 'every operator may do what only some roles may',
    class: 'console',
    module: 'http/request/rights',
    from: '!endpoint.operators.includes(role)',
    to: 'false',
    expected: /works for (support|viewer)/,
  },
  {
    name: 'failed sign-ins lock nothing',
    class: 'limits',
    module: 'users/passwords/lockout',
    from: 'left <= 0',
    to: 'true',
    expected: /right (one|password) still works|without limit/,
  },
]
