Parse.Cloud.define('greet', ({ user }) => `Hello ${user ? user.get('username') : 'stranger'}`)

Parse.Cloud.beforeSave('Note', ({ object }) => {
  if (!object.get('text')) throw new Parse.Error(142, 'A note has a text.')
})
