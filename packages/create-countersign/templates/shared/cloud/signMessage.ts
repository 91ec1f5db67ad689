import { defineHook } from 'countersign'

/** The server writes the name: clients could send another, and they cannot read other accounts. */
export const signMessage = defineHook({
  on: 'beforeSave',
  className: 'Message',
  handle({ original, user }) {
    if (original) return { name: original.name, author: original.author }
    return user && { name: user.username, author: user }
  },
})
