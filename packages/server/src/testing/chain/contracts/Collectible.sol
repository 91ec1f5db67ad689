// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A small ERC-721. Anyone may mint an id that nobody has.
contract Collectible {
    mapping(uint256 => address) private owners;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function mint(address to, uint256 tokenId) external {
        require(owners[tokenId] == address(0), "taken");
        owners[tokenId] = to;
        emit Transfer(address(0), to, tokenId);
    }

    function ownerOf(uint256 tokenId) external view returns (address) {
        return owners[tokenId];
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        require(owners[tokenId] == from && msg.sender == from, "caller is not token owner");
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
        if (to.code.length > 0) {
            bytes4 wanted = bytes4(keccak256("onERC721Received(address,address,uint256,bytes)"));
            (bool done, bytes memory answer) = to.call(abi.encodeWithSelector(wanted, msg.sender, from, tokenId, ""));
            require(done && answer.length == 32 && bytes4(answer) == wanted, "receiver cannot hold it");
        }
    }
}
