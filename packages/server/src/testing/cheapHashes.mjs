// Loaded before anything else (`node --import`): passwords are hashed by the same function at its lowest cost, since the
// full one would be most of what signing up takes, thousands of times a run. `users/passwords.embedded.test.ts` holds the cost
// that servers have.
import { createRequire } from 'node:module'

const argon2 = createRequire(import.meta.url)('@node-rs/argon2')
const { hash } = argon2
argon2.hash = (password, options, ...rest) => hash(password, { ...options, memoryCost: 64, timeCost: 1 }, ...rest)
