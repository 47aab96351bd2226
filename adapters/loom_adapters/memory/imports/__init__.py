"""Exports of chat programs, read into conversations: one pure reader for each, told by content.

lines        JSON lines, one turn each: speaker, text, date, id, caption
chatgpt      ChatGPT, `conversations.json`
claude       Claude, `conversations.json`
openwebui    Open WebUI, exported chats
slack        Slack, one day or channel as a JSON list
whatsapp     WhatsApp, a chat as text
told         which of them a file is
"""
