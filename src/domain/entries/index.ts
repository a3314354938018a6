/** The kinds of entries there are. A process that reads the log loads this list, so that every kind is known to it. */
import './channels.js'
import './groups.js'
import './message.js'
import './realm.js'
import './subscriptions.js'
import './tick.js'
import './update-message-flags.js'
import './users.js'
