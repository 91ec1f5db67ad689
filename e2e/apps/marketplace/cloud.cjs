// Cloud code as courses taught it: a list of open items is kept from the events of a marketplace.
/* global Moralis */
async function findItem(request) {
  const query = new Moralis.Query('ActiveItem')
  query.equalTo('marketplaceAddress', request.object.get('address'))
  query.equalTo('uid', request.object.get('uid'))
  return query.first({ useMasterKey: true })
}

Moralis.Cloud.afterSave('ItemListed', async (request) => {
  const logger = Moralis.Cloud.getLogger()
  if (!request.object.get('confirmed')) return logger.info('Waiting for confirmation')
  const before = await findItem(request)
  if (before) await before.destroy({ useMasterKey: true })
  const ActiveItem = Moralis.Object.extend('ActiveItem')
  const item = new ActiveItem()
  item.set('marketplaceAddress', request.object.get('address'))
  item.set('uid', request.object.get('uid'))
  item.set('seller', request.object.get('seller'))
  item.set('price', Moralis.Cloud.units({ method: 'fromWei', value: request.object.get('price') }))
  await item.save(null, { useMasterKey: true })
})

for (const name of ['ItemBought', 'ItemCanceled']) {
  Moralis.Cloud.afterSave(name, async (request) => {
    if (!request.object.get('confirmed')) return
    const item = await findItem(request)
    if (item) await item.destroy({ useMasterKey: true })
  })
}

Moralis.Cloud.beforeSave('ItemListed', (request) => {
  if (request.object.get('price') === '0') throw 'Nothing is for free.'
})
