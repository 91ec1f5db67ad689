import { defineSchema } from 'countersign'

export default defineSchema({
  Message: {
    fields: {
      text: { type: 'String', required: true },
      author: { type: 'Pointer', targetClass: '_User', required: true },
      name: 'String',
    },
    classLevelPermissions: {
      find: { '*': true },
      get: { '*': true },
      count: { '*': true },
      create: { requiresAuthentication: true },
      update: { pointerFields: ['author'] },
      delete: { pointerFields: ['author'] },
    },
    indexes: { newest: { createdAt: -1 } },
  },
})
