// Loaded before anything else (`node --import`): whatever asks for React gets version 18. Packages find React by
// `require`; the tests' own imports are led there by the aliases of vitest.config.ts.
import Module from 'node:module'

const find = Module._resolveFilename
Module._resolveFilename = (request, ...rest) => find(request.replace(/^(react|react-dom)(?=$|\/)/, '$1-18'), ...rest)
