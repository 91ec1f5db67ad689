// biome-ignore-all lint/style/noDefaultExport: the server reads the default export
import { defineSchema } from 'countersign'

const signedIn = { requiresAuthentication: true } as const
const classLevelPermissions = { find: signedIn, get: signedIn, count: signedIn, create: signedIn, update: signedIn }
const title = { type: 'String', required: true } as const

export default defineSchema({
  Game: { fields: { title, likes: 'Number', cover: 'File' }, classLevelPermissions },
  Message: { fields: { text: 'String', game: { type: 'Pointer', targetClass: 'Game' } }, classLevelPermissions },
})
