// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An ERC-721 with metadata. Anyone may mint an id that nobody has.
contract Pictures {
    string public name;
    string public symbol;
    mapping(uint256 => address) private owners;
    mapping(uint256 => string) private uris;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function mint(address to, uint256 tokenId, string calldata uri) external {
        require(owners[tokenId] == address(0), "taken");
        uris[tokenId] = uri;
        move(address(0), to, tokenId);
    }

    function burn(uint256 tokenId) external {
        require(owners[tokenId] == msg.sender, "caller is not token owner");
        move(msg.sender, address(0), tokenId);
    }

    function ownerOf(uint256 tokenId) external view returns (address) {
        require(owners[tokenId] != address(0), "nobody has it");
        return owners[tokenId];
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        require(owners[tokenId] != address(0), "nobody has it");
        return uris[tokenId];
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(owners[tokenId] == from && msg.sender == from, "caller is not token owner");
        move(from, to, tokenId);
    }

    function move(address from, address to, uint256 tokenId) private {
        if (from != address(0)) balanceOf[from]--;
        if (to != address(0)) balanceOf[to]++;
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }
}
