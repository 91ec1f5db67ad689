// node seed.mjs ADDRESS more: one note more.
// node seed.mjs ADDRESS: two people, a role, notes that only their owner or the role may read, and a class that only
// those who are signed in may read. Prints the session of one of them.
import Parse from 'parse/node'

Parse.initialize('my-app', undefined, 'master')
Parse.serverURL = process.argv[2]

if (process.argv[3] === 'more') {
  const ada = await Parse.User.logIn('ada', 'correct horse')
  const note = new Parse.Object('Note', { text: 'of today' })
  note.setACL(new Parse.ACL(ada))
  await note.save(null, { useMasterKey: true })
  process.exit()
}
const signUp = (username) => Parse.User.signUp(username, 'correct horse', { email: `${username}@example.org` })
const ada = await signUp('ada')
const grace = await signUp('grace')
const owned = (owner) => new Parse.ACL(owner)

const moderators = new Parse.Role('moderators', new Parse.ACL())
moderators.getUsers().add(ada)
await moderators.save(null, { useMasterKey: true })

const forModerators = new Parse.ACL()
forModerators.setRoleReadAccess('moderators', true)
const notes = [
  ['of ada', owned(ada)],
  ['of grace', owned(grace)],
  ['for moderators', forModerators],
]
for (const [text, acl] of notes) {
  const note = new Parse.Object('Note', {
    text,
    writtenAt: new Date('2024-05-06T07:08:09.010Z'),
    author: ada,
    tags: ['a', 1],
  })
  note.setACL(acl)
  await note.save(null, { useMasterKey: true })
}

const members = new Parse.Schema('Member')
members.addString('name')
const signedIn = { requiresAuthentication: true }
members.setCLP({ find: signedIn, get: signedIn, count: signedIn, create: {}, update: {}, delete: {}, addField: {} })
await members.save()
await new Parse.Object('Member', { name: 'of the club' }).save(null, { useMasterKey: true })
console.log((await Parse.User.logIn('grace', 'correct horse')).getSessionToken())
