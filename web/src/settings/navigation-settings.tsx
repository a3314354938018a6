/** What the page opens, and what the lists beside the messages show. */
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { SettingCheck, SettingSelect } from './setting-fields.js'

/** The page "Navigation". */
export const NavigationSettings = () => {
  const action = useAction()
  return (
    <>
      <ViewsGroup action={action} />
      <ConversationsGroup action={action} />
      <MembersGroup action={action} />
      <ActionStatus action={action} />
    </>
  )
}

const ViewsGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>Views</legend>
    <div class="dialog-two-columns">
      <SettingSelect
        name="web_home_view"
        label="Home view"
        options={[
          { value: 'inbox', label: 'Inbox' },
          { value: 'recent_topics', label: 'Recent conversations' },
          { value: 'all_messages', label: 'All messages' },
        ]}
        action={action}
      />
      <SettingSelect
        name="web_channel_default_view"
        label="A channel opens with"
        options={[
          { value: 1, label: 'The top topic' },
          { value: 4, label: 'The top unread topic' },
          { value: 2, label: 'All messages' },
          { value: 3, label: 'The list of topics' },
        ]}
        action={action}
      />
      <SettingSelect
        name="web_mark_read_on_scroll_policy"
        label="Scrolling marks messages as read"
        options={[
          { value: 1, label: 'Always' },
          { value: 2, label: 'In conversations' },
          { value: 3, label: 'Never' },
        ]}
        action={action}
      />
      <SettingSelect
        name="desktop_icon_count_display"
        label="Number in the title of the page"
        options={[
          { value: 1, label: 'All unread messages' },
          { value: 2, label: 'Direct messages, mentions and followed topics' },
          { value: 3, label: 'Direct messages and mentions' },
          { value: 4, label: 'None' },
        ]}
        action={action}
      />
    </div>
    <SettingCheck name="web_escape_navigates_to_home_view" label="Escape opens the home view" action={action} />
    <SettingCheck
      name="web_inbox_show_channel_folders"
      label="Show the folders of channels in the inbox"
      action={action}
    />
  </fieldset>
)

const ConversationsGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>List of conversations</legend>
    <div class="dialog-two-columns">
      <SettingSelect
        name="web_stream_unreads_count_display_policy"
        label="Numbers of unread messages"
        options={[
          { value: 1, label: 'Of all channels' },
          { value: 2, label: 'Of what is not muted' },
          { value: 3, label: 'Of no channel' },
        ]}
        action={action}
      />
      <SettingSelect
        name="demote_inactive_streams"
        label="Inactive channels are last"
        options={[
          { value: 1, label: 'With 30 channels or more' },
          { value: 2, label: 'Always' },
          { value: 3, label: 'Never' },
        ]}
        action={action}
      />
    </div>
    <SettingCheck
      name="web_left_sidebar_unreads_count_summary"
      label="Show the sums of unread messages"
      hint="Beside the inbox, and beside closed parts of the list."
      action={action}
    />
    <SettingCheck name="starred_message_counts" label="Show the number of starred messages" action={action} />
    <SettingCheck name="web_left_sidebar_show_channel_folders" label="Show the folders of channels" action={action} />
  </fieldset>
)

const MembersGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>List of members</legend>
    <SettingSelect
      name="user_list_style"
      label="A line shows"
      options={[
        { value: 1, label: 'The name' },
        { value: 2, label: 'Name and status' },
        { value: 3, label: 'Picture, name and status' },
      ]}
      action={action}
    />
    <SettingCheck name="left_side_userlist" label="On a narrow screen, open it from the left" action={action} />
  </fieldset>
)
