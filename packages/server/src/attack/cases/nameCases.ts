import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest } from '../createScene.ts'

/** Names that every object of JavaScript has, alone and as parts. */
const inherited = [
  ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__proto__', '__defineGetter__'],
  ...[
    'prototype',
    '__proto__.x',
    'constructor.prototype',
    'constructor.name',
    'toString.call',
    '__proto__.constructor',
  ],
]

const make = casesOf('access-lists')

export const nameCases: AttackCase[] = [
  make(
    'names that objects inherit are no functions, jobs, hooks, classes or providers',
    'P2, GHSA-6hh7-46r2-vf29, GHSA-5j86-7r7m-p8h6, GHSA-4263-jgmp-7pf4, GHSA-vpj2-qq7w-5qq6',
    async (scene, { stranger }) => {
      const callers = [guest, stranger, ...(scene.master ? [scene.master] : [])]
      for (const as of callers)
        for (const name of inherited) {
          for (const path of [`/functions/${name}`, `/jobs/${name}`])
            scene.refused(await scene.call(as, 'POST', path, {}), `${path.split('/')[1]} has one named ${name}.`)
          for (const path of [`/schemas/${name}`, `/hooks/functions/${name}`, `/hooks/triggers/${name}/beforeSave`])
            scene.refused(await scene.call(as, 'GET', path), `${path.split('/')[1]} has one named ${name}.`)
          for (const path of [`/hooks/triggers/_User/${name}`, `/tokenGates/${name}`, `/webhooks/${name}`])
            scene.refused(await scene.call(as, 'GET', path), `${path.split('/')[1]} has one named ${name}.`)
          await scene.call(as, 'POST', `/auth/providers/${name}/challenge`, {})
          await scene.call(as, 'GET', `/classes/${name}`)
        }
      const alive = await scene.call(guest, 'GET', '/health')
      scene.check(alive.status === 200, alive, 'The server does not respond after inherited names.', 'serverError')
    },
  ),
]
