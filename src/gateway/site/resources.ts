/** The resources by which the API reference groups its endpoints, and the resource of each path. */

/** One group of endpoints. */
export interface Resource {
  name: string
  description: string
  /** the paths of its endpoints; a path belongs to the first resource that matches it */
  paths: RegExp
}

/** All resources, in the order of the reference. */
export const resources: readonly Resource[] = [
  {
    name: 'Server and login',
    description: 'What the server and the organization are, and how a client gets an API key.',
    paths: /^\/(server_settings|compatibility|(jwt\/|dev_)?fetch_api_key|dev_list_users|accounts\/|confirm_email\/)/,
  },
  {
    name: 'Sessions',
    description: 'Logins of browsers: a session is a cookie, and no API key reaches the page.',
    paths: /^\/sessions/,
  },
  {
    name: 'API keys',
    description: 'Further API keys of an account, each with a name, a scope and an end date.',
    paths: /^\/(users\/me|realm)\/api_keys/,
  },
  {
    name: 'Log-in providers',
    description: 'Other servers with whose accounts users log in, and the accounts that a user has linked.',
    paths: /^\/(realm\/log_in_methods|users\/me\/identities|accounts\/login\/external)/,
  },
  {
    name: 'Events',
    description: 'Registration of event queues, and the events of a queue over long poll, stream or WebSocket.',
    paths: /^\/(register|events)/,
  },
  {
    name: 'Event subscriptions',
    description: 'Events of an account that the server delivers to a receiver, in order and at least once.',
    paths: /^\/event_subscriptions/,
  },
  {
    name: 'Messages',
    description: 'Sending, fetching, editing, moving and deleting messages, and reactions to them.',
    paths: /^\/(messages?(?!\/flags|\/\{message_id\}\/typing)|deleted_messages|submessage|zcommand)(\/|$)/,
  },
  {
    name: 'Topics',
    description: 'The topics of a channel, and whether a user follows or mutes them.',
    paths: /^\/(user_topics|users\/me\/\{stream_id\}\/topics|users\/me\/subscriptions\/muted_topics|.*delete_topic)/,
  },
  {
    name: 'Flags',
    description: 'The flags of messages for one user: read, starred, collapsed.',
    paths: /^\/(messages\/flags|mark_)/,
  },
  {
    name: 'Typing notices',
    description: 'That a user types or edits a message. They are never stored.',
    paths: /^\/(typing|message_edit_typing|messages\/\{message_id\}\/typing)/,
  },
  {
    name: 'Drafts and snippets',
    description: 'Texts that a user keeps: unfinished messages, and pieces to reuse.',
    paths: /^\/(drafts|saved_snippets)/,
  },
  {
    name: 'Scheduled messages and reminders',
    description: 'Messages that are sent later, and reminders of messages.',
    paths: /^\/(scheduled_messages|reminders)/,
  },
  {
    name: 'Subscriptions',
    description: 'Which channels a user reads, and with which properties.',
    paths: /^\/users\/[^/]+\/(subscriptions|channels)/,
  },
  {
    name: 'Default channels',
    description: 'The channels to which new users are subscribed.',
    paths: /^\/default_stream/,
  },
  {
    name: 'Channel folders',
    description: 'Folders that group the channels of an organization.',
    paths: /^\/channel_folders/,
  },
  {
    name: 'Channels',
    description: 'Creating, changing and archiving channels. The protocol also calls them streams.',
    paths: /^\/(streams|channels|get_stream_id)/,
  },
  {
    name: 'Alert words and muted users',
    description: 'Words that notify a user, and users whose messages a user hides.',
    paths: /^\/users\/me\/(alert_words|muted_users)/,
  },
  {
    name: 'Presence and status',
    description: 'Who is active, and the status texts of users.',
    paths: /^\/(realm\/presence|users\/[^/]+\/(presence|status))/,
  },
  {
    name: 'Profile fields',
    description: 'The fields of profiles that an organization defines, and their values.',
    paths: /^\/(realm\/profile_fields|users\/me\/profile_data)/,
  },
  {
    name: 'Avatars',
    description: 'The pictures of accounts.',
    paths: /^\/(avatar|user_avatars\/\{path\}|users\/me\/avatar)/,
  },
  {
    name: 'Devices',
    description: 'Phones that receive push notifications.',
    paths: /^\/(mobile_push|users\/me\/(apns|android))/,
  },
  {
    name: 'Personal settings',
    description: 'The settings of a user, views of the navigation, and onboarding steps.',
    paths: /^\/(settings|navigation_views|users\/me\/onboarding_steps)/,
  },
  { name: 'Users', description: 'Accounts: reading, creating, changing and deactivating them.', paths: /^\/users/ },
  { name: 'Bots', description: 'Accounts of programs, and the texts that a bot stores.', paths: /^\/bot/ },
  {
    name: 'User groups',
    description: 'Groups of users, which can be mentioned and can hold permissions.',
    paths: /^\/user_groups/,
  },
  {
    name: 'Invitations',
    description: 'Inviting users by mail or link, joining, and approving users who signed up.',
    paths: /^\/(invites|join|sign_ups)/,
  },
  {
    name: 'Files',
    description: 'Uploading and downloading files, also in resumable parts.',
    paths: /^\/(user_uploads|attachments|tus|external_content)/,
  },
  { name: 'Custom emoji', description: 'The emoji of an organization.', paths: /^\/realm\/emoji/ },
  {
    name: 'Linkifiers and playgrounds',
    description: 'Patterns that become links in messages, and pages that run code blocks.',
    paths: /^\/realm\/(linkifiers|filters|playgrounds)/,
  },
  {
    name: 'Exports',
    description: 'Archives with the data of an organization.',
    paths: /^\/(export\/|user_avatars\/exports)/,
  },
  {
    name: 'Organization',
    description: 'Settings, icon, logo, domains and audit log of the organization.',
    paths: /^\/realm/,
  },
  { name: 'Video calls', description: 'Links to calls of other services.', paths: /^\/calls/ },
]

/** The resource of a path as its endpoint declares it: `/messages/{message_id}`. Throws an Error when there is none. */
export const resourceOf = (path: string): Resource => {
  const found = resources.find(({ paths }) => paths.test(path))
  if (found === undefined) throw new Error(`${path} has no resource: add it to gateway/site/resources.ts`)
  return found
}
