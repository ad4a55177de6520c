'use strict'

const { version: platformVersion } = require('zapier-platform-core')
const { version } = require('./package.json')
const { actionOf } = require('./action')
const { authentication } = require('./authentication')
const { refuse, withKey } = require('./requests')
const { triggerOf } = require('./trigger')

const byKey = (some) => Object.fromEntries(some.map((one) => [one.key, one]))

module.exports = {
  version,
  platformVersion,
  authentication,
  beforeRequest: [withKey],
  afterResponse: [refuse],
  triggers: byKey(require('./generated/triggers.json').map(triggerOf)),
  creates: byKey(require('./generated/creates.json').map(actionOf)),
  searches: byKey(require('./generated/searches.json').map(actionOf)),
  searchOrCreates: {
    findGuest: {
      key: 'findGuest',
      display: {
        label: 'Find or Create a Guest',
        description: 'Finds a guest by email address or phone number, or makes one.',
      },
      search: 'findGuest',
      create: 'createGuest',
    },
  },
}
